import { probeDescriptors } from '../base/descriptors.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { createPoller } from '../base/poller.ts'
import { processTroubles } from '../base/troubles.ts'
import { LIMITS } from '../config/limits.ts'
import type { Connections } from '../faces/http/connections.ts'

/** What the process runs short of is looked for, and said in the log now and then. */
export function watchProcess(logger: Logger): { close(): void } {
  const said = new Map<string, number>()
  processTroubles.onNote = ({ what, message, lastMs, times }) => {
    if (lastMs - (said.get(what) ?? Number.NEGATIVE_INFINITY) < LIMITS.troubleLogMs) return
    said.set(what, lastMs)
    logger.warn({ what, message, times }, 'the process has trouble')
  }
  const probes = createPoller({ what: 'file descriptors', everyMs: LIMITS.descriptorProbeMs, run: probeDescriptors })
  return {
    close() {
      void probes.stop()
      processTroubles.onNote = null
    },
  }
}

export function addProcessMetrics(metrics: Metrics, connections: Connections): void {
  metrics.counts('ti_troubles_total', 'shortages and failures outside of requests', 'what', processTroubles.counts)
  metrics.counts('ti_connections_closed_total', 'connections closed to make room', 'why', connections.closed)
  metrics.gauge('ti_connections', 'open connections', [], () => connections.open)
  metrics.gauge(
    'ti_connections_unheard',
    'open connections that have sent no whole request yet',
    [],
    () => connections.unheard,
  )
  metrics.gauge('ti_connections_most', 'connections the process accepts', [], () => connections.most)
}
