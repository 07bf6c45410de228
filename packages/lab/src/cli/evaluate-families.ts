import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Family } from '@ti/core/model/bundles.ts'
import type { Io } from '@ti/service/cli/io.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { judgeActors } from '../evaluate/actors.ts'
import { type FamilyLook, familiesReport, type NamedActors } from '../evaluate/families.ts'
import type { TruthToken } from '../simulator/truth.ts'
import { pass } from './evaluate-pass.ts'

interface FamilyRun {
  readonly command: string
  readonly out: string
  /** Captures with their truth beside them, which `truthOf` reads. */
  readonly files: readonly string[]
  /** The families to hide, one at a time. */
  readonly hide: readonly Family[]
  readonly truthOf: (file: string) => Promise<TruthToken[]>
}

type Look = {
  -readonly [Name in keyof FamilyLook]: FamilyLook[Name] extends readonly (infer T)[] ? T[] : FamilyLook[Name]
}

/** Folds each log with all families, and without each one of them; writes families.md. */
export async function evaluateFamilies(
  { command, out, files, hide: inTurn, truthOf }: FamilyRun,
  io: Io,
): Promise<string> {
  const bar = io.progress('evaluate')
  const hidden: (Family | null)[] = [null, ...inTurn]
  const looks: Look[] = hidden.map((family) => ({ hidden: family, found: [], early: [], evidence: [] }))
  const truth: TruthToken[] = []
  const actors: NamedActors[] = []
  let done = 0
  for (const file of files) {
    const planted = await truthOf(file)
    const log = (await openCapture(file)).info.header.source
    for (const look of looks) {
      const of = look.hidden === null ? 'all families' : `without ${look.hidden}`
      const hide = look.hidden === null ? [] : [look.hidden]
      const from = done++
      const folded = await pass(file, { hide, groupsOnly: true }, io, (share) =>
        bar.update((from + share) / (files.length * looks.length), () => of),
      )
      for (const one of folded.found) look.found.push(one)
      for (const one of folded.early) look.early.push(one)
      for (const one of folded.evidence) look.evidence.push(one)
      if (look.hidden === null) actors.push({ log, result: judgeActors(folded.actors, planted) })
    }
    for (const one of planted) truth.push(one)
  }
  bar.done()
  mkdirSync(out, { recursive: true })
  const path = join(out, 'families.md')
  writeFileSync(path, `${familiesReport(command, truth, looks, actors)}\n`)
  return `${path}\n`
}
