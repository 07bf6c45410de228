import type { AgentBook } from '../../model/agents.ts'
import { AGENTS } from '../constants.ts'

/** One buy of a top agent. */
export interface LatestBuy {
  readonly agent: string
  readonly token: number
  readonly slot: number
  /** Unix seconds. */
  readonly time: number
}

/** Why no agent is listed; null where some are. */
export const whyNobody = ({ top }: Readonly<Pick<AgentBook, 'top'>>): string | null =>
  top.length > 0
    ? null
    : `no agent gained over at least ${AGENTS.closedMin} closed trades in the 7 days before the last ranking`

/** The newest buys of the top agents, newest first; within a slot the better-ranked agent first. */
export function latestAgentBuys({ agents, top }: Readonly<AgentBook>): LatestBuy[] {
  const buys = top.flatMap((place, rank) => {
    const { name, buys } = agents[place]!
    return buys.map((buy) => ({ agent: name, rank, ...buy }))
  })
  buys.sort((a, b) => b.slot - a.slot || a.rank - b.rank || b.token - a.token)
  return buys.slice(0, AGENTS.latestBuys).map(({ agent, token, slot, time }) => ({ agent, token, slot, time }))
}
