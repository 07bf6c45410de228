/** Sections of the methodology that panels link to; a test compares them with the headings. */
export const METHOD_PARTS = [
  '1-token-basics',
  '2-positions',
  '3-wallet-history',
  'classes-of-holders',
  '4-score-group',
  '5-cohorts',
  '6-lists-agents-deployers',
  '7-signals',
  '8-bundles',
  '9-outlook',
  '10-actors',
  '11-is-it-any-good',
  '12-the-verdict',
] as const

export type MethodPart = (typeof METHOD_PARTS)[number]
