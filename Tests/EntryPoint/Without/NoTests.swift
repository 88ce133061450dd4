// The package manager looks for `XCTMain.swift` above the folder of a test target: this is that target's.
