// Prints the lines of each package without tests and generated code, and those of the tests. Part of `npm run check`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const FOLDERS = [
  'packages/core',
  'packages/service',
  'packages/page',
  'packages/lab',
  'packages/sandbox',
  'clients',
  'scripts',
  'bench',
]
const CODE = /\.(tsx?|mts|mjs|css|html|py)$/
const GENERATED =
  /^packages\/core\/src\/(model\/generated\/|decode\/idl-table\.ts)|^clients\/(typescript\/src\/generated\.ts|python\/token_intelligence\/generated)/
const TEST = /\.test(-data)?\.tsx?$|\/tests\/|^test\//

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => CODE.test(file) && !GENERATED.test(file))
const lines = (those) => those.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
const row = (name, count) => console.log(`${name.padEnd(20)}${String(count).padStart(8)}`)

for (const folder of FOLDERS)
  row(folder, lines(files.filter((file) => file.startsWith(`${folder}/`) && !TEST.test(file))))
row('core and service', lines(files.filter((file) => /^packages\/(core|service)\//.test(file) && !TEST.test(file))))
row('lab and sandbox', lines(files.filter((file) => /^packages\/(lab|sandbox)\//.test(file) && !TEST.test(file))))
row('tests', lines(files.filter((file) => TEST.test(file))))
