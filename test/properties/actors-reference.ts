/**
 * Section 10 of the methodology a second time, slowly and plainly: from the list of wallets that were found in confirmed groups,
 * walked again for every question. It shares no code and no constant with the engine.
 */
export interface Enrolment {
  readonly token: number
  readonly group: number
  readonly wallet: number
  /** the wallet it shares a fee payer with on this token, -1 none */
  readonly payerWith: number
}

interface Band {
  readonly founded: number
  readonly founder: number
  members: number[]
}

export interface ReferenceEdge {
  readonly wallets: string
  readonly mints: number[]
  payer: boolean
}

/** `known`: wallets with a record of their own. */
export function actorsFrom(
  steps: readonly Enrolment[],
  tokens: number,
  known: ReadonlySet<number>,
  smallerKey: (a: number, b: number) => number,
) {
  const bands: Band[] = []
  const edges = new Map<string, ReferenceEdge>()
  /** wallet and token: others of its band were there */
  const shared = new Set<string>()
  const bandOf = (wallet: number) => bands.find(({ members }) => members.includes(wallet))

  steps.forEach((step, n) => {
    const past = steps.slice(0, n + 1)
    const groupsOf = (wallet: number) => past.filter((one) => one.wallet === wallet)
    const together = (a: number, b: number): number[] =>
      groupsOf(a)
        .filter((x) => groupsOf(b).some((y) => y.token === x.token && y.group === x.group))
        .map(({ token }) => token)
    const keepsTo = (wallet: number, k: number): boolean => {
      const all = groupsOf(wallet)
      const own = all.filter(({ token }) => shared.has(`${wallet} ${token}`)).length
      return 2 * Math.max(k, own) >= all.length
    }
    const { wallet: me } = step
    const others = past
      .filter((one) => one.token === step.token && one.group === step.group && one.wallet !== me)
      .map(({ wallet }) => wallet)
    const note = (other: number, mints: readonly number[], payer: boolean): void => {
      for (const mint of mints) {
        shared.add(`${me} ${mint}`)
        shared.add(`${other} ${mint}`)
      }
      const wallets = [me, other].sort((a, b) => a - b).join(' ')
      const edge = edges.get(wallets) ?? { wallets, mints: [], payer: false }
      for (const mint of mints) if (!edge.mints.includes(mint) && edge.mints.length < 8) edge.mints.push(mint)
      edge.payer ||= payer
      edges.set(wallets, edge)
    }
    const found: { other: number; mints: number[]; payer: boolean }[] = []
    for (const other of others) {
      const mints = together(me, other)
      const band = bandOf(me)
      if (band !== undefined && band === bandOf(other)) {
        note(other, mints, false)
        continue
      }
      const payer = step.payerWith === other
      const k = mints.length
      const [mine, theirs] = [groupsOf(me).length, groupsOf(other).length]
      const loyal = keepsTo(me, k) && keepsTo(other, k)
      const often = k >= 2 && k * tokens >= 10 * mine * theirs
      const free = (mine <= 4 || keepsTo(me, k)) && (theirs <= 4 || keepsTo(other, k))
      const needsBoth = known.has(me) || known.has(other)
      const enough = needsBoth ? loyal && often && payer : (loyal && often) || (payer && free)
      if (enough) found.push({ other, mints, payer })
    }
    for (const { other, mints, payer } of found) {
      const [mine, theirs] = [bandOf(me), bandOf(other)]
      if (mine === undefined && theirs === undefined) {
        bands.push({ founded: n, founder: smallerKey(me, other), members: [me, other] })
      } else if (mine === undefined) theirs!.members.push(me)
      else if (theirs === undefined) mine.members.push(other)
      else if (mine !== theirs) {
        const links = found.filter((one) => theirs.members.includes(one.other)).length
        if (mine.members.length >= 5 && theirs.members.length >= 5 && links < 2) continue
        const [older, younger] = bands.indexOf(mine) < bands.indexOf(theirs) ? [mine, theirs] : [theirs, mine]
        older.members.push(...younger.members)
        bands.splice(bands.indexOf(younger), 1)
      }
      note(other, mints, payer)
    }
  })
  return {
    actors: bands.map(({ founded, founder, members }) => ({
      founded,
      founder,
      members: members.sort((a, b) => a - b),
    })),
    edges: [...edges.values()].sort((a, b) => (a.wallets < b.wallets ? -1 : 1)),
  }
}

/** A deployer launches, or it becomes known who gave a wallet its first SOL. */
export type Deed =
  | { readonly kind: 'launch'; readonly wallet: number }
  | { readonly kind: 'fund'; readonly wallet: number; readonly by: number; readonly exchange: boolean }

/**
 * For whom deployers launch, from all deeds so far: who served an actor from the start does (`served`), who began with the SOL of that one's
 * purse does too, and so on.
 */
export function servantsFrom(deeds: readonly Deed[], served: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const serves = new Map(served)
  deeds.forEach((deed, n) => {
    const past = deeds.slice(0, n + 1)
    const hasLaunched = (wallet: number) => past.some((one) => one.kind === 'launch' && one.wallet === wallet)
    const fundings = past.filter((one) => one.kind === 'fund')
    const purse = fundings.find(({ wallet }) => wallet === deed.wallet)?.by
    const fundedBy = (by: number) => fundings.filter((one) => one.by === by).map(({ wallet }) => wallet)
    if (!hasLaunched(deed.wallet) || purse === undefined) return
    if (fundings.some(({ by, exchange }) => by === purse && exchange) || fundedBy(purse).length > 16) return
    const [mine, its] = [serves.get(deed.wallet), serves.get(purse)]
    if (mine !== undefined && its === undefined) serves.set(purse, mine)
    if (mine !== undefined || its === undefined) return
    const others = fundedBy(purse).filter((wallet) => wallet !== deed.wallet)
    const own = others.filter((wallet) => hasLaunched(wallet) && serves.get(wallet) === its)
    if (2 * own.length >= others.length) serves.set(deed.wallet, its)
  })
  return serves
}
