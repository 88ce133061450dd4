import ArgumentParser

@main
struct Castq: ParsableCommand {}
