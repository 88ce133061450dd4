/// Names under which systems keep waste, snapshots and thumbnails in the folders of their users: nothing in them is a medium. Those that
/// begin with a dot (`.Trash-1000`, `.Trashes`, `._film.mp4`, `.@__thumb`, `.zfs`) are hidden anyway.
package enum SystemNames {
  /// In small letters: Windows and Samba tell no case apart.
  static let all: Set<String> = [
    // Synology DSM: thumbnails, waste, snapshots and what is being written.
    "@eadir", "#recycle", "#snapshot", "@tmp", "@sharebin", "@sharesnap",
    // QNAP QTS: waste, snapshots.
    "@recycle", "@recently-snapshot",
    // Windows: waste of NTFS and of FAT, restore points, what chkdsk found, thumbnails, settings of a folder.
    "$recycle.bin", "recycler", "recycled", "system volume information", "found.000", "thumbs.db",
    "desktop.ini",
    // Linux: what fsck found.
    "lost+found",
    // NetApp ONTAP on its shares of Windows.
    "~snapshot",
    // Mac OS 9 and Netatalk.
    "network trash folder", "temporary items",
  ]

  package static func contains(_ name: String) -> Bool { all.contains(name.lowercased()) }
}
