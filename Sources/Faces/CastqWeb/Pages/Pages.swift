import CastProtocol

/// The pages as HTML: pure functions of the command line's documents.
enum Pages {
  /// The whole page, from the doctype on.
  static func html(_ context: PageContext) -> String {
    switch context.page {
    case .screens: NowPage(context: context, chosen: context.chosen).html()
    case .device(let label): NowPage(context: context, chosen: label).html()
    case .schedule: SchedulePage(context: context).html()
    case .library: LibraryPage(context: context).html()
    case .history: HistoryPage(context: context).html()
    case .reports: ReportsPage(context: context).html()
    case .doctor: DoctorPage(context: context).html()
    case .settings: SettingsPage(context: context).html()
    case .login: LoginPage(context: context).html()
    case .lost: LostPage(context: context).html()
    }
  }
}
