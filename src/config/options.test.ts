import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '../base/errors.ts'
import { derivePublicUrl, readOptions } from './options.ts'

test('defaults, with empty variables counting as not set', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://127.0.0.1:4000',
    dataDir: './data',
    source: 'simulator:',
    agentsFile: null,
    logLevel: 'info',
    validateResponses: false,
  }
  assert.deepEqual(readOptions({}), defaults)
  assert.deepEqual(readOptions({ HOST: '', PORT: '', SOURCE: '', LOG_LEVEL: '', UNRELATED: 'x' }), defaults)
})

test('every variable is read', () => {
  const options = readOptions({
    HOST: '::',
    PORT: '0',
    PUBLIC_URL: 'https://api.example.com/base/',
    DATA_DIR: '/var/lib/ti',
    SOURCE: 'capture:day.cap?speed=0',
    AGENTS_FILE: '/etc/agents.json',
    LOG_LEVEL: 'debug',
    VALIDATE_RESPONSES: '1',
  })
  assert.deepEqual(options, {
    host: '::',
    port: 0,
    publicUrl: 'https://api.example.com/base',
    dataDir: '/var/lib/ti',
    source: 'capture:day.cap?speed=0',
    agentsFile: '/etc/agents.json',
    logLevel: 'debug',
    validateResponses: true,
  })
})

test('a bad value names the variable, the value and what is valid', () => {
  const bad: [string, string, RegExp][] = [
    ['HOST', 'not a host!', /host name or address/],
    ['PORT', '70000', /0 to 65535/],
    ['PORT', '4e3', /0 to 65535/],
    ['PORT', '-1', /0 to 65535/],
    ['PUBLIC_URL', 'ftp://example.com', /http or https/],
    ['PUBLIC_URL', 'example.com', /http or https/],
    ['PUBLIC_URL', 'https://u:p@example.com', /http or https/],
    ['SOURCE', 'simulater:', /simulator: or capture:FILE/],
    ['SOURCE', 'capture:', /simulator: or capture:FILE/],
    ['LOG_LEVEL', 'loud', /fatal, error, warn, info, debug, trace, silent/],
    ['VALIDATE_RESPONSES', 'yes', /0 or 1/],
  ]
  for (const [name, value, valid] of bad) {
    assert.throws(
      () => readOptions({ [name]: value }),
      (error) =>
        error instanceof OperatorError &&
        error.exitCode === 2 &&
        error.message.includes(`${name}=${JSON.stringify(value)}`) &&
        valid.test(error.message),
      `${name}=${value}`,
    )
  }
})

test('all bad values are told at once', () => {
  assert.throws(() => readOptions({ PORT: 'x', LOG_LEVEL: 'y' }), /PORT="x".*\n.*LOG_LEVEL="y"/)
})

test('the derived address is one a client can use', () => {
  assert.equal(derivePublicUrl('0.0.0.0', 4000), 'http://localhost:4000')
  assert.equal(derivePublicUrl('::', 4000), 'http://localhost:4000')
  assert.equal(derivePublicUrl('::1', 4000), 'http://[::1]:4000')
})
