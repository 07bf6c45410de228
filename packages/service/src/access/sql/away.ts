/** The database does not answer, or not in time. Whether it has done what it was asked is not known. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
}
