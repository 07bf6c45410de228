import type { AppSearch } from '@ti/core/contract/app.ts'

type FoundToken = AppSearch['tokens'][number]

export type Choice =
  | {
      readonly kind: 'token'
      readonly to: string
      readonly token: FoundToken
      /** distinguishes tokens of the same symbol */
      readonly place: string | null
    }
  | {
      readonly kind: 'trader' | 'deployer'
      readonly to: string
      readonly address: string
      readonly name: string | null
      readonly trades: number
    }
  | { readonly kind: 'actor' | 'kol'; readonly to: string; readonly name: string }

/** Search results in display order: tokens, the wallet in each of its roles, then crews and KOLs. */
export function choicesOf({ tokens, wallet, people }: AppSearch): Choice[] {
  const choices: Choice[] = tokens.map((token) => ({
    kind: 'token',
    to: `/token/${token.mint}`,
    token,
    place: placeOf(token, tokens),
  }))
  const others = people.map(
    ({ kind, id, name }): Choice => ({ kind, to: kind === 'actor' ? `/actor/${id}` : `/trader/${id}`, name }),
  )
  if (wallet === null) return [...choices, ...others]
  const { address, user_name: name, trades } = wallet
  const role = (kind: 'trader' | 'deployer'): Choice => ({ kind, to: `/${kind}/${address}`, address, name, trades })
  if (wallet.trades > 0 || !wallet.is_deployer) choices.push(role('trader'))
  if (wallet.is_deployer) choices.push(role('deployer'))
  return [...choices, ...others]
}

const symbolOf = ({ symbol }: FoundToken): string => symbol.trim().toLowerCase()

/** For tokens of the same symbol, marks the first and the newest. */
function placeOf(token: FoundToken, all: readonly FoundToken[]): string | null {
  const same = all.filter((other) => symbolOf(other) === symbolOf(token))
  if (token.first === true) return same.length > 1 ? 'the first of this symbol' : 'first'
  if (same.length < 2 || token.deployed_at === null) return null
  return same.every(({ deployed_at: at }) => at === null || at <= token.deployed_at!) ? 'the newest' : null
}

/** Next index after a key; -1: the input itself; null: no movement. */
export function moved(key: string, active: number, size: number): number | null {
  if (key === 'ArrowDown') return active + 1 < size ? active + 1 : -1
  if (key === 'ArrowUp') return active === -1 ? size - 1 : active - 1
  return null
}
