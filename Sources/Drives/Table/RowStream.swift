/// The good rows of one file with the next one in sight.
final class RowStream<Row: TableRow> {
  private var table: Table
  /// The row that ``take()`` will give; nil at the end.
  private(set) var pending: Row?

  init(in folder: String, file: String = Row.file) throws(DriveError) {
    var table = try Table(of: Row.self, in: folder, file: file)
    pending = try table.next(Row.self)
    self.table = table
  }

  /// Gives the row in sight and reads the one behind it.
  func take() throws(DriveError) -> Row? {
    guard let row = pending else { return nil }
    pending = try table.next(Row.self)
    return row
  }

  /// What has been left out so far.
  var rejections: RowRejections { table.rejections }
}
