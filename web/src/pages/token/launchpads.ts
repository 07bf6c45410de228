const NAMES: Record<string, string> = { pumpfun: 'Pump.fun', launchlab: 'LaunchLab' }

/** How a launchpad calls itself; one that is not known keeps its name in the API. */
export const launchpadName = (launchpad: string): string => NAMES[launchpad] ?? launchpad
