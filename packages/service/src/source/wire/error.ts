/** Bytes that are not the message they should be. Callers turn it into an error that names file and slot. */
export class WireError extends Error {
  override readonly name = 'WireError'
}
