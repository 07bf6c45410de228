import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXIT, OperatorError } from '../base/errors.ts'
import { readCommandLine } from './command-line.ts'
import { DEFINITIONS, GROUPS } from './definitions.ts'
import { parse } from './parse.ts'

const helpFor = (...args: string[]): string => {
  const asked = readCommandLine(args)
  assert.equal(asked.kind, 'help', args.join(' '))
  return asked.kind === 'help' ? asked.text : ''
}

const refused = (args: string[], message: RegExp): void =>
  assert.throws(
    () => readCommandLine(args),
    (error) => {
      assert.ok(error instanceof OperatorError, String(error))
      assert.equal(error.exitCode, EXIT.usage)
      assert.match(error.message, message)
      return true
    },
  )

test('every command has help with its usage, its options and an example, in each way to ask for it', () => {
  for (const command of DEFINITIONS) {
    const words = command.name.split(' ')
    const text = helpFor('help', ...words)
    assert.equal(helpFor(...words, '--help'), text)
    assert.equal(helpFor(...words, 'something', '-h'), text)
    assert.match(text, new RegExp(`^usage: .* ${command.name}`))
    for (const name of Object.keys(command.options))
      assert.ok(text.includes(`\n  --${name}`), `${command.name} ${name}`)
    assert.ok(text.includes(`${command.example}\n`), command.name)
    assert.ok(helpFor().includes(`\n  ${command.name} `), command.name)
  }
  for (const group of Object.keys(GROUPS)) {
    assert.equal(helpFor(group, '--help'), helpFor('help', group))
    assert.match(helpFor('help', group), /commands:\n[\s\S]*example:/)
  }
  assert.equal(readCommandLine(['--version']).kind, 'version')
})

test('the example of each command is one', () => {
  for (const { name, example } of DEFINITIONS) {
    const args = [...example.replace(/ > .*/, '').matchAll(/"([^"]*)"|\S+/g)].map(([all, quoted]) => quoted ?? all)
    const asked = readCommandLine(args)
    assert.equal(asked.kind === 'command' && asked.command.name, name)
  }
})

test('what is asked for wrongly is said', () => {
  refused(['replai', 'x'], /no command "replai"/)
  refused(['constructor'], /no command "constructor"\n/)
  refused(['keys'], /keys needs one of create, list, revoke\n/)
  refused(['keys', 'crate'], /no keys crate: keys needs one of create, list, revoke/)
  refused(['keys', 'zzz'], /no keys zzz: /)
  refused(['help', 'capture', 'simulat'], /no capture simulat: capture needs one of /)
  refused(['help', 'verfy'], /no command "verfy"/)
  refused(['verify', '--jsno'], /no option --jsno\n\nusage: /)
  refused(['verify', '-j'], /no option -j/)
  refused(['verify', '--json=1'], /--json takes no value/)
  refused(['verify', 'x', 'y'], /too many arguments: x y/)
  refused(['replay'], /an argument is missing/)
  refused(['bench', '--trades'], /--trades takes N: it is missing/)
  refused(['bench', '--trades', '--json'], /written --trades=--json/)
})

test('options stand anywhere, several times where they may, and after -- there are none', () => {
  const definition = DEFINITIONS.find(({ name }) => name === 'tail')!
  const given = parse(definition, ['--mint', 'a', 'frames', '--mint=b', '--count', '3', '--url', 'x', '--url', 'y'])
  assert.deepEqual([...given.operands], ['frames'])
  assert.deepEqual([...given.all('mint')], ['a', 'b'])
  assert.equal(given.text('url'), 'y')
  assert.equal(given.whole('count'), 3)
  assert.deepEqual([given.has('json'), given.has('url')], [false, true])
  assert.throws(() => given.has('jsno'), /tail has no option jsno/)
  assert.deepEqual([...parse(definition, ['--', '--json']).operands], ['--json'])
  const asked = readCommandLine(['keys', '--name', 'x', 'create'])
  assert.ok(asked.kind === 'command' && asked.command.name === 'keys create')
  assert.throws(() => parse(definition, ['frames', '--count', '1e3']).whole('count'), /--count takes a whole number/)
})
