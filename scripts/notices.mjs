// Collects the licence notices that must accompany bundled packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NOTICE = /^(?:licen[cs]e|copying|notice)/i
const LINE = `${'-'.repeat(80)}\n`

/** Name, version, licence and notices of every package that the files come from. */
export function noticesOf(files) {
  const packages = new Map()
  for (const file of files) {
    const found = packageOf(file)
    if (found !== null) packages.set(`${found.name} ${found.version}`, found)
  }
  const sorted = [...packages].sort(([a], [b]) => (a < b ? -1 : 1))
  const texts = sorted.map(([title, one]) => {
    const head = [title, `licence: ${one.license}`, ...authorOf(one)].join('\n')
    return `${LINE}${head}\n\n${noticesIn(one).join('\n\n') || likeAnother(one, sorted)}\n\n`
  })
  return `The program contains code of these packages.\n\n${texts.join('')}`
}

const authorOf = ({ author, repository }) =>
  [author?.name ?? author, repository?.url ?? repository].filter((one) => typeof one === 'string')

const noticesIn = ({ folder }) =>
  readdirSync(folder)
    .filter((name) => NOTICE.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())

/** Finds the licence text for a package that names its licence but does not include it. */
function likeAnother({ license }, packages) {
  const same = packages.filter(([, one]) => license.includes(one.license) && noticesIn(one).length > 0)
  if (same.length === 0) throw new Error(`no package here has the text of the licence ${license}`)
  return `The package does not bring the text of its licence: it is the one of ${same[0][0]}.`
}

/** The manifest and folder of the package that a file belongs to; null outside node_modules. */
function packageOf(file) {
  if (!file.includes('/node_modules/')) return null
  for (let folder = dirname(file); !folder.endsWith('/node_modules'); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    // a folder inside a package may have a manifest that only sets the module type
    const { name, ...rest } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
    if (name !== undefined && rest.version !== undefined) return { folder, name, ...rest }
  }
  return null
}
