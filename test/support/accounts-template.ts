import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * An embedded database with empty tables, unpacked once from what the build made and copied wherever a test or a program of one
 * begins with none, because making one takes five seconds of a processor. A change of the tables or of the embedded database
 * makes another.
 */
const PATH = join(process.env.TEST_TEMPLATES ?? tmpdir(), `database-template-${process.getuid?.() ?? 0}-${key()}`)

/** Made under another name and renamed, so that processes side by side never see half of it. */
export async function makeTemplate(): Promise<void> {
  if (existsSync(PATH)) return
  // only whoever makes it needs a database
  const [{ openDatabase }, { templatePath }, { sql }] = await Promise.all([
    import('../../src/access/sql/database.ts'),
    import('../../src/access/embedded/template.ts'),
    import('kysely'),
  ])
  const making = mkdtempSync(`${PATH}-`)
  const database = await openDatabase({ dataDir: making, url: null, template: templatePath() })
  // PostgreSQL clears all of them at each start: 128 MB, as it has them by itself, take longer than the rest of it
  await sql`alter system set shared_buffers = '16MB'`.execute(database.sql)
  await database.close()
  try {
    renameSync(making, PATH)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(PATH)) throw error
  }
}

/** Nothing where the data directory has accounts, or no template was made: then whoever opens it makes its own. */
export function seedAccounts(dataDir: string): void {
  const accounts = join(dataDir, 'accounts')
  if (!existsSync(PATH) || existsSync(accounts)) return
  for (const name of ['accounts', 'accounts-seal']) cpSync(join(PATH, name), join(dataDir, name), { recursive: true })
}

function key(): string {
  const tables = readFileSync(new URL('../../src/access/sql/migrations.ts', import.meta.url))
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const version = JSON.parse(readFileSync(join(engine, '../../package.json'), 'utf8')).version as string
  return createHash('sha256').update(tables).update(version).update('sealed, few buffers').digest('hex').slice(0, 16)
}
