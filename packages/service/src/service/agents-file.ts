import { readFileSync, statSync } from 'node:fs'
import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import { AGENTS } from '@ti/core/engine/constants.ts'
import type { AgentFact } from '@ti/core/model/facts.ts'
import { z } from 'zod'
import { EXIT, OperatorError } from '../base/errors.ts'
import type { Node } from './node.ts'

/** bytes of the file with the operator's agents, and characters of a name in it */
const AGENTS_FILE_BYTES = 64 << 10
const AGENT_NAME_LENGTH = 64

const FILE = z
  .array(
    z.object({
      wallet: z.string().refine((text) => keyFromBase58(text) !== null, 'base58 of 32 bytes'),
      name: z.string().trim().min(1).max(AGENT_NAME_LENGTH),
    }),
  )
  .max(AGENTS.walletsMax)

/**
 * Compares the operator's file of agents, a list of `{ "wallet", "name" }`, with the agents in the log, and returns the facts
 * that change them. The list is empty without a file or without changes. An invalid file is an OperatorError (usage).
 */
export function agentFacts(file: string | null, { engine, store }: Pick<Node, 'engine' | 'store'>): AgentFact[] {
  if (file === null) return []
  const wanted = new Map(readAgents(file).map(({ wallet, name }) => [keyFromBase58(wallet)!, name]))
  const known = new Map(
    engine.agents.book.agents
      .filter(({ wallet, active }) => wallet >= 0 && active)
      .map(({ wallet, name }) => [store.wallet(wallet)!.address, name]),
  )
  const gone = [...known.keys()].filter((wallet) => !wanted.has(wallet))
  const fresh = [...wanted].filter(([wallet, name]) => known.get(wallet) !== name)
  return [
    ...gone.map((wallet): AgentFact => ({ kind: 'agent', wallet, name: null })),
    ...fresh.map(([wallet, name]): AgentFact => ({ kind: 'agent', wallet, name })),
  ]
}

/** The operator's agents in a file; OperatorError (usage) if it is not valid. */
export function readAgents(file: string): z.infer<typeof FILE> {
  const wrong = (why: string): OperatorError =>
    new OperatorError(`AGENTS_FILE=${file}: ${why}. It holds a list like [{"wallet": "${EXAMPLE}", "name": "alpha"}]`, {
      exitCode: EXIT.usage,
    })
  let json: unknown
  try {
    const { size } = statSync(file)
    if (size > AGENTS_FILE_BYTES) throw wrong(`it has ${size} bytes, at most ${AGENTS_FILE_BYTES} are read`)
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw error instanceof OperatorError ? error : wrong((error as Error).message)
  }
  const parsed = FILE.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw wrong(`${issue!.path.join('.')} ${issue!.message}`)
}

const EXAMPLE = keyToBase58('\0'.repeat(32) as Parameters<typeof keyToBase58>[0])
