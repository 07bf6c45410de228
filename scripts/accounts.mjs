// Makes the empty database of accounts that a first start unpacks (dist/accounts), with the code of the server.
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeCopy } from '../src/access/embedded/copies.ts'
import { templatePath } from '../src/access/embedded/template.ts'
import { openDatabase } from '../src/access/sql/database.ts'

const path = templatePath()
const folder = dirname(path)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const making = mkdtempSync(join(folder, 'making-'))
try {
  const database = await openDatabase({ dataDir: making, url: null })
  const { name } = await makeCopy(database.files, Date.now())
  await database.close()
  // whole or not at all
  renameSync(join(database.files.places.copies, name), path)
} finally {
  rmSync(making, { recursive: true, force: true })
}
