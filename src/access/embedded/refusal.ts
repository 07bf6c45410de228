import { EXIT, OperatorError } from '../../base/errors.ts'
import { program } from '../../config/invocation.ts'
import { type CopyName, checkCopy, listCopies } from './copies.ts'
import type { Places } from './paths.ts'

const MINUTE_MS = 60_000

/** Says what is damaged, whether anything was changed, and which command restores which copy. */
export async function refusal(
  places: Places,
  why: string,
  { cause, untouched }: { cause: unknown; untouched: boolean },
) {
  const found = await newestGood(places)
  const offer =
    found === null
      ? `There is no good copy in ${places.copies}: restore ${places.database} and ${places.seal} from a back-up of your own.`
      : `The newest good copy is ${ageOf(found.madeAt)} old and has ${found.payments} payments. This restores it:

  ${program()} accounts restore --copy ${found.name}

It lacks later payments, deposits and keys: docs/backup.md, "The embedded database", says what to do.`
  return new OperatorError(
    `The embedded database of accounts and payments is damaged and not used: ${why}. It is in ${places.database}. ${untouched ? 'Nothing was changed' : 'No payment was taken'}. ${offer}`,
    { exitCode: EXIT.badFile, cause },
  )
}

async function newestGood({ copies }: Places): Promise<(CopyName & { readonly payments: number }) | null> {
  for (const copy of listCopies(copies)) {
    try {
      return { ...copy, payments: (await checkCopy(copies, copy.name)).payments }
    } catch {
      // the next one may be better
    }
  }
  return null
}

export function ageOf(madeAt: Date): string {
  const minutes = Math.max(0, Math.round((Date.now() - madeAt.getTime()) / MINUTE_MS))
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
