import type { Group, Member } from './who-words.ts'

/** Who paid for the wallets of a group, as a tree: a funder that is itself a funded member stands below its own funder. */

export interface FundingNode {
  readonly wallet: string
  readonly name: string | null
  readonly role: 'exchange' | 'deployer' | 'funder' | 'member'
  /** how its first SOL came from the one above; null at the top */
  readonly edge: { readonly sol: number | null; readonly age_slots: number } | null
  /** its share, where it is a member */
  readonly member: Member | null
  readonly children: readonly FundingNode[]
}

interface Funding {
  readonly roots: readonly FundingNode[]
  /** members whose funder was not traced */
  readonly untraced: readonly Member[]
}

type Funder = Group['funders'][number]

export function fundingOf({ funders, members }: Pick<Group, 'funders' | 'members'>): Funding {
  const byWallet = new Map(funders.map((funder) => [funder.wallet, funder]))
  const memberOf = new Map(members.map((member) => [member.wallet, member]))
  const funded = new Set(funders.flatMap(({ funded }) => funded.map(({ wallet }) => wallet)))
  const seen = new Set<string>()

  function nodeOf(wallet: string, edge: FundingNode['edge']): FundingNode {
    seen.add(wallet)
    const funder = byWallet.get(wallet)
    const member = memberOf.get(wallet) ?? null
    // two that paid for each other do not stand below each other for ever
    const below = (funder?.funded ?? []).filter(({ wallet }) => !seen.has(wallet))
    for (const { wallet } of below) seen.add(wallet)
    return {
      ...{ wallet, edge, member, role: roleOf(funder) },
      name: funder?.name ?? member?.name ?? null,
      children: below.map(({ wallet, sol, age_slots }) => nodeOf(wallet, { sol, age_slots })),
    }
  }

  const tops = funders.filter(({ wallet }) => !funded.has(wallet))
  const roots = tops.map(({ wallet }) => nodeOf(wallet, null))
  // of a circle any one is the top
  for (const { wallet } of funders) if (!seen.has(wallet)) roots.push(nodeOf(wallet, null))
  return { roots, untraced: members.filter(({ wallet }) => !seen.has(wallet)) }
}

function roleOf(funder: Funder | undefined): FundingNode['role'] {
  if (funder === undefined) return 'member'
  if (funder.is_deployer) return 'deployer'
  if (funder.exchange) return 'exchange'
  return funder.is_member ? 'member' : 'funder'
}
