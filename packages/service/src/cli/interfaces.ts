import { readFile } from 'node:fs/promises'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { IDL_TABLE } from '@ti/core/decode/idl-table.ts'
import { parseJson } from '../base/bounded-text.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOtherOptions } from '../config/other-options.ts'
import { createRpcClient } from '../observe/outbound/json-rpc.ts'
import { createOutbound } from '../observe/outbound/outbound.ts'
import { ageInDays, type News, newsOf } from '../service/interfaces/news.ts'
import { askInterface } from '../service/interfaces/on-chain.ts'
import { type Published, readPublished } from '../service/interfaces/published.ts'
import { parseRpcSpec } from '../source/rpc/spec.ts'
import type { Given, Run } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'

/** bytes of a file and milliseconds for one of another host */
const FILE_BYTES = 8 << 20
const FILE_MS = 20_000

/** One comparison. `outcome`: why there was nothing to compare, or null. */
interface Compared {
  readonly program: string
  readonly label: string
  readonly asOf: string
  readonly source: string
  readonly outcome: string | null
  readonly news: readonly News[]
}

/** The exit code is 1 if something is new or a node did not answer. */
export const interfaces: Run = async (given, io) => {
  const compared = [...(await onChain(given, io)), ...(await inFiles(given.operands, io))]
  if (compared.length === 0) throw wrongUsage('interfaces needs files, --rpc URL or SOURCE_RPC_URL')
  io.result(given.has('json') ? `${JSON.stringify(compared, null, 2)}\n` : compared.flatMap(linesOf).join(''))
  return compared.some(({ news, outcome }) => news.length > 0 || outcome === WORDS.failed) ? EXIT.failed : 0
}

const compare = (program: string, source: string, published: Published | string): Compared => {
  const { label, asOf } = IDL_TABLE[program]!
  const isFound = typeof published !== 'string'
  return {
    ...{ program, label, asOf, source },
    outcome: isFound ? null : published,
    news: isFound ? newsOf(program, published) : [],
  }
}

const WORDS = {
  none: 'the program keeps no interface in its account',
  unreadable: "the program's account holds no interface that can be read",
  failed: 'the node did not answer',
} as const

async function onChain(given: Given, { signal }: Io): Promise<Compared[]> {
  const text = given.text('rpc') ?? readOtherOptions(environment()).rpcUrl
  if (text === undefined) return []
  const spec = parseRpcSpec(text, undefined)
  const rpc = createRpcClient({ url: spec.url, requestsPerSecond: spec.requestsPerSecond })
  try {
    const asked = Object.keys(IDL_TABLE).map(async (program) => {
      const answer = await askInterface(rpc, keyFromBase58(program)!, signal)
      return compare(program, 'chain', answer.kind === 'found' ? answer.published : WORDS[answer.kind])
    })
    return await Promise.all(asked)
  } finally {
    await rpc.close()
  }
}

async function inFiles(paths: readonly string[], io: Io): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const path of paths) {
    const published = readPublished(parseJson(await textOf(path, io)))
    if (published === null) throw new OperatorError(`${path} is no interface of Anchor (IDL) in JSON`)
    const { address } = published
    if (address === null || !Object.hasOwn(IDL_TABLE, address))
      throw new OperatorError(`${path}: ${address ?? 'no program'} is none of the watched programs`)
    compared.push(compare(address, path, published))
  }
  return compared
}

async function textOf(path: string, { signal }: Io): Promise<string> {
  if (!/^https?:\/\//.test(path)) return readFile(path, 'utf8')
  const outbound = createOutbound({ allow: [new URL(path).origin] })
  try {
    const request = {
      url: path,
      purpose: 'list',
      namedBy: 'operator',
      bytesMax: FILE_BYTES,
      timeoutMs: FILE_MS,
    } as const
    const answer = await outbound.get({ ...request, accept: ['application/*', 'text/*'], signal })
    if (!answer.ok) throw new OperatorError(`${path} could not be read: ${answer.reason}`)
    return answer.bytes.toString('utf8')
  } finally {
    outbound.close()
  }
}

function linesOf({ label, asOf, source, outcome, news }: Compared): string[] {
  const age = ageInDays(asOf, Date.now())
  const seen = `known as of ${asOf}, ${age} ${age === 1 ? 'day' : 'days'} ago`
  if (outcome !== null) return [`${label} (${source}): ${outcome}; ${seen}\n`]
  if (news.length === 0) return [`${label} (${source}): nothing new; ${seen}\n`]
  return news.map(({ what, name, discriminator, layout }) => {
    const change = layout === null ? 'is new' : `has another layout: ${layout.published}; known: ${layout.ours}`
    return `${label} (${source}): ${what} ${name} ${discriminator} ${change}; ${seen}\n`
  })
}
