/** The embedded database is not what it was when it was written last; the message says what differs. */
export class Damage extends Error {
  override readonly name = 'Damage'
}

/** SQLSTATE of PostgreSQL for what is damaged: data, index, missing file, read error */
const CODES: ReadonlySet<unknown> = new Set(['XX001', 'XX002', '58P01', '58030'])
const WORDS =
  /invalid page|could not (read|open|access|stat|find) (block|file|directory|status)|unexpected (data|zero page)|corrupt|cache lookup failed|checksum|missing chunk|compressed .* data/i

/**
 * Whether PostgreSQL failed because of a damaged file. The end of its WebAssembly counts, because its state is then unknown.
 */
export function tellsDamage(error: unknown): boolean {
  const { code, message, name } = error as { code?: unknown; message?: unknown; name?: unknown }
  // `WebAssembly.RuntimeError`, and the end of what runs in it
  if (name === 'RuntimeError' || name === 'ExitStatus') return true
  if (CODES.has(code)) return true
  // an internal error of PostgreSQL is one that cannot happen with sound files
  return code === 'XX000' && typeof message === 'string' && WORDS.test(message)
}
