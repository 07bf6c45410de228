import { LAUNCHPAD, type Launchpad, type TradeEvent, VENUE, type Venue } from './events.ts'

interface VenueRules {
  /** an AMM, where anyone may open a pool: only the canonical one prices a token */
  readonly isAmm: boolean
  /** launchpad of a token whose first known trade was here; an AMM does not reveal it */
  readonly launchpad: Launchpad
  /**
   * `stated`: reserves and supply are those of the program. `computed`: they are derived from a trade's amounts, so one trade may
   * show no more than its price.
   */
  readonly reserves: 'stated' | 'computed'
  readonly supply: 'stated' | 'computed'
  /** every curve begins with the supply and the reserves that methodology, section 1 names */
  readonly sameStart: boolean
  /** its pools hold less than the virtual reserves of the curves that graduate to them */
  readonly isShallower: boolean
}

/** What differs between venues. Where a venue decides, the code reads it here. */
export const VENUES: Readonly<Record<Venue, VenueRules>> = {
  [VENUE.pump]: {
    isAmm: false,
    launchpad: LAUNCHPAD.pumpfun,
    reserves: 'stated',
    supply: 'stated',
    sameStart: true,
    isShallower: false,
  },
  [VENUE.pumpswap]: {
    isAmm: true,
    launchpad: LAUNCHPAD.unknown,
    reserves: 'stated',
    supply: 'stated',
    sameStart: false,
    isShallower: false,
  },
  [VENUE.launchlab]: {
    isAmm: false,
    launchpad: LAUNCHPAD.launchlab,
    reserves: 'stated',
    supply: 'computed',
    sameStart: false,
    isShallower: false,
  },
  [VENUE.meteora_dbc]: {
    isAmm: false,
    launchpad: LAUNCHPAD.meteora_dbc,
    reserves: 'computed',
    supply: 'stated',
    sameStart: false,
    isShallower: false,
  },
  [VENUE.meteora_damm_v2]: {
    isAmm: true,
    launchpad: LAUNCHPAD.unknown,
    reserves: 'stated',
    supply: 'stated',
    sameStart: false,
    isShallower: true,
  },
  [VENUE.moonit]: {
    isAmm: false,
    launchpad: LAUNCHPAD.moonit,
    reserves: 'computed',
    supply: 'stated',
    sameStart: false,
    isShallower: false,
  },
  [VENUE.boop]: {
    isAmm: false,
    launchpad: LAUNCHPAD.boop,
    reserves: 'computed',
    supply: 'stated',
    sameStart: false,
    isShallower: false,
  },
}

export const isAmm = (venue: Venue): boolean => VENUES[venue].isAmm

/** Amounts are whole: a curve depth that they cannot give to this precision is not known. */
export const DEPTH_ERROR = 0.02

/** Whether a trade's reserves say how deep its market is, or only its price: small amounts do not show a computed depth. */
export const isDepthKnown = ({ venue, quoteReserve, quoteAmount, tokenAmount }: TradeEvent): boolean =>
  VENUES[venue].reserves === 'stated' || quoteReserve * (1 / quoteAmount + 1 / tokenAmount) <= quoteAmount * DEPTH_ERROR
