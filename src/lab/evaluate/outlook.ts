import type { Outlook } from './watch.ts'

const NOTHING = { drain: null, halving: null, buyer: null }

/** The service's outlook as the evaluation reads it. */
export const readOutlook: Outlook = () => NOTHING
