import { environment } from '../config/environment.ts'
import { readOtherOptions } from '../config/other-options.ts'
import { bound, numberOf, refuse, sourceKind, sourceKinds } from './kinds.ts'
import type { Source } from './source.ts'

const KINDS = ['capture:FILE?speed=1', 'yellowstone:https://HOST:PORT', 'rpc:https://HOST']

/** Settings that do not stand in SOURCE, because it is printed. */
interface SourceSecrets {
  /** YELLOWSTONE_TOKEN: x-token of the endpoint, or of each, between commas */
  readonly yellowstoneToken?: string | undefined
  /** SOURCE_RPC_URL: a node's address, for `rpc:` without one and for the holes of `yellowstone:` */
  readonly rpcUrl?: string | undefined
}

/**
 * The source that SOURCE names: `capture:FILE?speed=1`, `rpc:https://HOST`, `yellowstone:https://HOST:PORT`, of the last several
 * between commas, or one of a registered kind. OperatorError says what is wrong with it, or with the file.
 * Only the code of that kind is loaded: that of all of them costs a fifth of a second.
 */
export async function openSource(
  spec: string,
  secrets: SourceSecrets = readOtherOptions(environment()),
): Promise<Source> {
  const { kind, rest } = partOf(spec)
  if (kind === 'yellowstone') return yellowstoneOf(spec.split(/,(?=[a-z]+:)/).map(partOf), secrets)
  switch (kind) {
    case 'capture':
      return captureOf(rest)
    case 'rpc':
      return (await import('./rpc/open.ts')).openRpc(rest, secrets.rpcUrl)
    default: {
      const registered = sourceKind(kind)
      if (registered !== undefined) return registered.open(rest)
      const kinds = [...sourceKinds().map(({ example }) => example), ...KINDS]
      throw refuse(`source "${spec}" is of no known kind. Use ${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`)
    }
  }
}

async function yellowstoneOf(
  parts: readonly { readonly kind: string; readonly rest: string }[],
  { yellowstoneToken, rpcUrl }: SourceSecrets,
): Promise<Source> {
  const other = parts.find(({ kind }) => kind !== 'yellowstone')
  if (other !== undefined) throw refuse(`source ${other.kind}: cannot be combined with yellowstone:`)
  const { openYellowstone } = await import('./yellowstone/open.ts')
  const fetcher = rpcUrl === undefined ? null : await import('./rpc/open.ts')
  return openYellowstone(
    parts.map(({ rest }) => rest),
    yellowstoneToken,
    fetcher === null ? null : (followed) => fetcher.openBlockFetcher(rpcUrl!, followed),
  )
}

function partOf(text: string): { readonly kind: string; readonly rest: string } {
  const colon = text.indexOf(':')
  return colon < 0 ? { kind: text, rest: '' } : { kind: text.slice(0, colon), rest: text.slice(colon + 1) }
}

/** `FILE` or `FILE?speed=N`; a question mark elsewhere belongs to the file's name. */
async function captureOf(rest: string): Promise<Source> {
  const mark = rest.lastIndexOf('?')
  const query = mark < 0 ? '' : rest.slice(mark + 1)
  const hasOptions = mark >= 0 && /^[a-zA-Z]+=/.test(query)
  const file = hasOptions ? rest.slice(0, mark) : rest
  if (file === '') throw refuse('source capture: names no file. Write capture:FILE')
  let speed = 1
  for (const [name, value] of new URLSearchParams(hasOptions ? query : '')) {
    if (name !== 'speed') throw refuse(`source capture: has no option "${name}". It has speed`)
    speed = numberOf('capture', name, value, bound(0, 1e6, false))
  }
  return (await import('./capture/capture.ts')).openCapture(file, { speed })
}
