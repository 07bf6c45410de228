import type { SimulatorOptions } from '@ti/lab/simulator/simulator.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { LIMITS } from '../config/limits.ts'
import { readOtherOptions } from '../config/other-options.ts'
import type { Source } from './source.ts'

const KINDS = 'simulator:seed=1&tps=60, capture:FILE?speed=1, yellowstone:https://HOST:PORT or rpc:https://HOST'

/** Settings that do not stand in SOURCE, because it is printed. */
interface SourceSecrets {
  /** YELLOWSTONE_TOKEN: x-token of the endpoint, or of each, between commas */
  readonly yellowstoneToken?: string | undefined
  /** SOURCE_RPC_URL: a node's address, for `rpc:` without one and for the holes of `yellowstone:` */
  readonly rpcUrl?: string | undefined
}

/**
 * The source that SOURCE names: `simulator:seed=1&tps=60`, `capture:FILE?speed=1`, `rpc:https://HOST` or
 * `yellowstone:https://HOST:PORT`, of the last several between commas. OperatorError says what is wrong with it, or with the file.
 * Only the code of that kind is loaded: that of all of them costs a fifth of a second.
 */
export async function openSource(
  spec: string,
  secrets: SourceSecrets = readOtherOptions(environment()),
): Promise<Source> {
  const { kind, rest } = partOf(spec)
  if (kind === 'yellowstone') return yellowstoneOf(spec.split(/,(?=[a-z]+:)/).map(partOf), secrets)
  switch (kind) {
    case 'simulator':
      return (await import('@ti/lab/simulator/simulator.ts')).createSimulator(simulatorOptions(rest))
    case 'capture':
      return captureOf(rest)
    case 'rpc':
      return (await import('./rpc/open.ts')).openRpc(rest, secrets.rpcUrl)
    default:
      throw refuse(`source "${spec}" is of no known kind. Use ${KINDS}`)
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

const refuse = (message: string): OperatorError => new OperatorError(message, { exitCode: EXIT.usage })

interface Bound {
  readonly min: number
  readonly max: number
  readonly whole: boolean
}

const bound = (min: number, max: number, whole = true): Bound => ({ min, max, whole })
const SLOT_MAX = 1e12

const SIMULATOR: Readonly<Record<string, readonly [keyof SimulatorOptions, Bound]>> = {
  seed: ['seed', bound(0, 0xffffffff)],
  tps: ['tps', bound(0.1, LIMITS.simulatorTradesPerSecondMax, false)],
  warmup: ['warmup', bound(0, LIMITS.simulatorWarmupSlotsMax)],
  speed: ['speed', bound(0, 1)],
  slots: ['slots', bound(1, SLOT_MAX)],
  trades: ['trades', bound(1, SLOT_MAX)],
  start: ['startSlot', bound(1, SLOT_MAX)],
  startTime: ['startTime', bound(1, 4e9)],
  market: ['market', bound(1, 2)],
  traced: ['traced', bound(0, 1, false)],
  adversary: ['adversary', bound(0, 1, false)],
  surge: ['surge', bound(0, SLOT_MAX)],
}

/** Options of a simulated market from the text behind `simulator:`. */
export function simulatorOptions(text: string): Partial<SimulatorOptions> {
  const options: Partial<Record<keyof SimulatorOptions, number>> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const known = Object.hasOwn(SIMULATOR, name) ? SIMULATOR[name] : undefined
    if (known === undefined)
      throw refuse(`source simulator: has no option "${name}". It has ${Object.keys(SIMULATOR).join(', ')}`)
    options[known[0]] = numberOf('simulator', name, value, known[1])
  }
  return options as Partial<SimulatorOptions>
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

function numberOf(kind: string, name: string, text: string, { min, max, whole }: Bound): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    throw refuse(
      `source ${kind}: ${name} takes ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}, not "${text}"`,
    )
  return value
}
