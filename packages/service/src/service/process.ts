import { processClock } from '../base/clock-jumps.ts'
import { probeDescriptors } from '../base/descriptors.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { createPoller } from '../base/poller.ts'
import { processTroubles } from '../base/troubles.ts'
import type { Connections } from '../faces/http/connections.ts'

/** milliseconds between two tries to take a descriptor, so that /readyz says when there are none left */
const DESCRIPTOR_PROBE_MS = 1_000
/** milliseconds between two looks at the clock */
const CLOCK_LOOK_MS = 1_000
/** milliseconds between two lines of the log about the same trouble */
const TROUBLE_LOG_MS = 10_000

/** Probes the process for shortages and logs them at a limited rate. */
export function watchProcess(logger: Logger): { close(): void } {
  const said = new Map<string, number>()
  processTroubles.onNote = ({ what, message, lastMs, times }) => {
    if (lastMs - (said.get(what) ?? Number.NEGATIVE_INFINITY) < TROUBLE_LOG_MS) return
    said.set(what, lastMs)
    logger.warn({ what, message, times }, 'the process has trouble')
  }
  const probes = createPoller({ what: 'file descriptors', everyMs: DESCRIPTOR_PROBE_MS, run: probeDescriptors })
  const clock = createPoller({ what: 'clock', everyMs: CLOCK_LOOK_MS, run: lookAtClock })
  return {
    close() {
      void probes.stop()
      void clock.stop()
      processTroubles.onNote = null
    },
  }
}

function lookAtClock(): void {
  const jump = processClock.look()
  if (jump !== null) processTroubles.note('clock', `the clock of this machine jumped by ${jump.seconds} s`)
}

export function addProcessMetrics(metrics: Metrics, connections: Connections): void {
  metrics.counts('ti_troubles_total', 'shortages and failures outside of requests', 'what', processTroubles.counts)
  metrics.counts('ti_connections_closed_total', 'connections closed to make room', 'why', connections.closed)
  metrics.counter('ti_clock_jumps_total', 'jumps of the clock of the machine', [], () => processClock.jumps)
  metrics.gauge('ti_connections', 'open connections', [], () => connections.open)
  metrics.gauge(
    'ti_connections_unheard',
    'open connections that have sent no whole request yet',
    [],
    () => connections.unheard,
  )
  metrics.gauge('ti_connections_most', 'connections the process accepts', [], () => connections.most)
}
