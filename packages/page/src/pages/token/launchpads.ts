const NAMES: Record<string, string> = {
  pumpfun: 'Pump.fun',
  launchlab: 'LaunchLab',
  meteora_dbc: 'Meteora DBC',
  believe: 'Believe',
  bags: 'Bags',
  jupiter_studio: 'Jupiter Studio',
  moonshot: 'Moonshot',
  trends_fun: 'trends.fun',
  moonit: 'Moonit',
  boop: 'Boop',
}

/** Display name of a launchpad; unknown ones keep their API name. */
export const launchpadName = (launchpad: string): string => NAMES[launchpad] ?? launchpad
