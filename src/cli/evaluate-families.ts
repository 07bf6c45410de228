import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FamilyLook, familiesReport } from '../lab/evaluate/families.ts'
import type { TruthToken } from '../lab/simulator/truth.ts'
import { FAMILIES, type Family } from '../model/bundles.ts'
import { pass } from './evaluate-pass.ts'
import type { Io } from './io.ts'

interface FamilyRun {
  readonly command: string
  readonly out: string
  /** captures that have their truth beside them, and how to read it */
  readonly files: readonly string[]
  readonly truthOf: (file: string) => Promise<TruthToken[]>
}

type Look = {
  -readonly [Name in keyof FamilyLook]: FamilyLook[Name] extends readonly (infer T)[] ? T[] : FamilyLook[Name]
}

/** Folds each log once with all families and once without each of them; writes families.md. */
export async function evaluateFamilies({ command, out, files, truthOf }: FamilyRun, io: Io): Promise<string> {
  const bar = io.progress('evaluate')
  const hidden: (Family | null)[] = [null, ...FAMILIES]
  const looks: Look[] = hidden.map((family) => ({ hidden: family, found: [], evidence: [] }))
  const truth: TruthToken[] = []
  let done = 0
  for (const file of files) {
    for (const look of looks) {
      const of = look.hidden === null ? 'all families' : `without ${look.hidden}`
      const hide = look.hidden === null ? [] : [look.hidden]
      const from = done++
      const { found, evidence } = await pass(file, { hide, groupsOnly: true }, io, (share) =>
        bar.update((from + share) / (files.length * looks.length), () => of),
      )
      for (const one of found) look.found.push(one)
      for (const one of evidence) look.evidence.push(one)
    }
    for (const one of await truthOf(file)) truth.push(one)
  }
  bar.done()
  mkdirSync(out, { recursive: true })
  const path = join(out, 'families.md')
  writeFileSync(path, `${familiesReport(command, truth, looks)}\n`)
  return `${path}\n`
}
