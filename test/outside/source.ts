import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Constant, constantsIn } from './scan.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = ['core', 'service', 'lab', 'sandbox', 'page']

/** The constants of the outside world in the service and in its page; tests are not among them. */
export const sourceConstants = (): Constant[] =>
  PACKAGES.map((name) => `packages/${name}/src`).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .sort()
      .flatMap((name) => constantsIn(`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8'))),
  )
