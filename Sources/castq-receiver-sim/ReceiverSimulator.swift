import ArgumentParser

@main
struct ReceiverSimulator: ParsableCommand {}
