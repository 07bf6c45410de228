const NAMES: Record<string, string> = {
  pumpfun: 'Pump.fun',
  launchlab: 'LaunchLab',
  meteora_dbc: 'Meteora DBC',
  believe: 'Believe',
  bags: 'Bags',
  jupiter_studio: 'Jupiter Studio',
  moonshot: 'Moonshot',
  trends_fun: 'trends.fun',
}

/** How a launchpad calls itself; one that is not known keeps its name in the API. */
export const launchpadName = (launchpad: string): string => NAMES[launchpad] ?? launchpad
