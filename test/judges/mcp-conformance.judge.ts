import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type McpService, startMcp } from '../conformance/mcp/service.ts'
import { bin, NODE_22, runNode } from './tools.ts'

/** The protocol's own conformance suite: its scenarios that need no tools of the suite's invention. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'http-header-validation',
  'server-stateless',
  'caching',
]
const EXPECTED = ['--expected-failures', join(import.meta.dirname, 'mcp-conformance.expected.yml')]
const options = { skip: NODE_22 === null && 'the suite needs Node 22, which has a package for Linux on x64 only' }

let service: McpService
before(async () => {
  service = await startMcp()
})
after(() => service.close())

const judge = (scenario: string, more: readonly string[]) =>
  runNode(bin('conformance'), ['server', '--url', service.url.href, '--scenario', scenario, ...more])

for (const scenario of SCENARIOS) {
  test(scenario, options, async () => {
    const { code, stdout, stderr } = await judge(scenario, EXPECTED)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /Passed: [1-9]\d*\/\d+/)
  })
}

test('the suite would say so: what is expected to fail does', options, async () => {
  assert.equal((await judge('server-stateless', [])).code, 1)
})
