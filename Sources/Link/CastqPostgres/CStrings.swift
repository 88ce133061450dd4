/// Arrays of C strings.
enum CStrings {
  static func with<Value>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    // A null byte would end the text early; PostgreSQL has no text with one.
    let copies = texts.map { $0.map { Array($0.utf8.filter { $0 != 0 }) + [0] } }
    let all = UnsafeMutableBufferPointer<CChar>.allocate(
      capacity: max(copies.reduce(0) { $0 + ($1?.count ?? 0) }, 1))
    defer { all.deallocate() }
    var pointers: [UnsafePointer<CChar>?] = []
    var next = 0
    for copy in copies {
      guard let copy else {
        pointers.append(nil)
        continue
      }
      pointers.append(all.baseAddress.map { UnsafePointer($0 + next) })
      for byte in copy {
        all[next] = CChar(bitPattern: byte)
        next += 1
      }
    }
    // libpq reads the keys and values of a connection up to a null.
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
