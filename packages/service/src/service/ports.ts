import { createPeerAddress } from '../access/rate-limits/client-address.ts'
import { OperatorError } from '../base/errors.ts'
import type { Metrics } from '../base/metrics.ts'
import { derivePublicUrl, type Options } from '../config/options.ts'
import { createListener, type Listener } from '../faces/http/listener.ts'
import { createPreparingFace, type Preparing } from '../faces/http/preparing.ts'
import type { Role } from './node-role.ts'

/** The ports of a process. They listen from its start to its exit, while the faces behind them change. */
export interface Ports {
  /** for readers; null: a node that only ingests has none */
  readonly readers: Listener | null
  /** for the operator's monitors */
  readonly operator: Listener
  /** the URL that shows the node's state */
  readonly url: string
  readonly operatorUrl: string
  /** answers all further requests with the progress of the start */
  showPreparing(preparing: () => Preparing): void
  close(): Promise<void>
}

/** descriptors within which the operator's port keeps its connections: half of them, and monitors are few */
const OPERATOR_DESCRIPTORS = 128

/**
 * Opens the ports. Ports that the system chose (0) replace those of the options, because offers and links contain them.
 * OperatorError if one cannot be used.
 */
export async function openPorts(
  asked: Options,
  role: Role,
  preparing: () => Preparing,
  metrics: Metrics,
): Promise<{ readonly ports: Ports; readonly options: Options }> {
  const operator = createListener({ peer: () => null, descriptors: OPERATOR_DESCRIPTORS })
  const readers = role === 'ingest' ? null : createListener({ peer: createPeerAddress(asked.trustedProxies) })
  const showPreparing = (shown: () => Preparing): void => {
    for (const listener of [operator, readers]) {
      if (listener !== null) createPreparingFace(shown, { listener, ...(listener === operator && { metrics }) }).show()
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all([readers?.close(), operator.close()])
  }
  try {
    showPreparing(preparing)
    const { host, operatorHost } = asked
    const port = readers === null ? asked.port : await bind(readers, host, asked.port, '')
    const operatorPort = await bind(operator, operatorHost, asked.operatorPort, 'OPERATOR_')
    const isDerived = asked.publicUrl === derivePublicUrl(host, asked.port)
    const options = {
      ...asked,
      port,
      operatorPort,
      publicUrl: isDerived ? derivePublicUrl(host, port) : asked.publicUrl,
    }
    const operatorUrl = derivePublicUrl(operatorHost, operatorPort)
    const url = readers === null ? operatorUrl : options.publicUrl
    return { ports: { readers, operator, url, operatorUrl, showPreparing, close }, options }
  } catch (error) {
    await close()
    throw error
  }
}

/** `prefix`: of the variables that name host and port */
async function bind(listener: Listener, host: string, asked: number, prefix: string): Promise<number> {
  try {
    return (await listener.listen(host, asked)).port
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new OperatorError(`${host}:${asked} is in use: choose another ${prefix}PORT`)
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new OperatorError(
        `cannot listen on ${host}:${asked} (${code}): choose another ${prefix}HOST or ${prefix}PORT`,
      )
    }
    throw error
  }
}
