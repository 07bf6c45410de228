import { key } from '../base/base58.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import { LAUNCHPAD, type Launchpad } from '../model/events.ts'

/**
 * Names the launchpad of a launch on Meteora's bonding curve, which the program does not state. A launchpad is
 * recognised by an account that it alone controls, if a third party says so: Bitquery's API documentation (pages
 * Believe-API, bags-fm-api) and DefiLlama's dimension-adapters at e7346b0e (fees/believe, fees/launch-on-bags,
 * fees/jup-studio, fees/trends). All others are `meteora_dbc`.
 */

/** Wallets with which a launchpad signs and pays for every launch. */
const SIGNERS: ReadonlyMap<Key, Launchpad> = new Map<Key, Launchpad>([
  [key('5qWya6UjwWnGVhdSBL3hyZ7B45jbk6Byt1hwd7ohEGXE'), LAUNCHPAD.believe],
  [key('BAGSB9TpGrZxQbEsrEznv5jXXdwyP6AXerN8aVRiAmcv'), LAUNCHPAD.bags],
])

/**
 * Curve configurations of one launchpad. Anyone may launch with a public configuration, so this names the curve and the
 * recipient of its fees, not the site used. Moonshot's is named in the quick-launch script of a copy of meteora-invent
 * (tmminimalist-sketch/meteora-invent at 3100839e), which Meteora's present tree lacks.
 */
const CONFIGS: ReadonlyMap<Key, Launchpad> = new Map<Key, Launchpad>([
  [key('FbKf76ucsQssF7XZBuzScdJfugtsSKwZFYztKsMEhWZM'), LAUNCHPAD.moonshot],
  [key('7UMR4yEaVYsQGbQGvxNUypFmPn15GkzVmwUEpUFJUPPX'), LAUNCHPAD.trends_fun],
  [key('7UNpFBfTdWrcfS7aBQzEaPgZCfPJe8BDgHzwmWUZaMaF'), LAUNCHPAD.trends_fun],
  [key('7UQpAg2GfvwnBhuNAF5g9ujjDmkq7rPnF7Xogs4xE9AA'), LAUNCHPAD.trends_fun],
  [key('7UP2hcAoYvyzumQv3BtvmXDCQk2WoqMEXKym8cCdLAh6'), LAUNCHPAD.trends_fun],
])

/** Jupiter Studio makes a configuration for each launch and marks it by this extra account. */
export const STUDIO_MARK = key('8rE9CtCjwhSmbwL5fbJBtRFsS3ohfMcDFeTTC7t4ciUA')

/** The launchpad by creator, payer and configuration of the pool. */
export const launchpadOf = (creator: Key, payer: Key, config: Key): Launchpad =>
  SIGNERS.get(creator) ?? SIGNERS.get(payer) ?? CONFIGS.get(config) ?? LAUNCHPAD.meteora_dbc

/**
 * The launcher: the payer, or the creator, who signed too, if the payer is a launchpad's server; `ZERO_KEY` if both are.
 */
export function launcherOf(payer: Key, creator: Key): Key {
  if (!SIGNERS.has(payer)) return payer
  return SIGNERS.has(creator) ? ZERO_KEY : creator
}
