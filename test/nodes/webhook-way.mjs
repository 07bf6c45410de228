// Loaded before the program of a test: what the program sends to one public address arrives at a port of this machine. The filter of
// addresses judges as ever, and certificates are checked (NODE_EXTRA_CA_CERTS).
import { Resolver } from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const { TEST_SITE: site, TEST_SITE_ADDRESS: address, TEST_SITE_PORT: port } = process.env
const { connect } = net

Resolver.prototype.resolve4 = async (name) => (name === site ? [address] : [])
Resolver.prototype.resolve6 = async () => []
net.connect = (to, ...rest) =>
  connect(to.host === address && to.port === 443 ? { ...to, host: '127.0.0.1', port: Number(port) } : to, ...rest)
syncBuiltinESMExports()
