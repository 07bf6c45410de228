/** The database does not answer in time. Whether it executed the statement is unknown. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
}
