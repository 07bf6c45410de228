import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('a table is written as RFC 4180 has it', () => {
  assert.equal(
    csvOf([
      { a: 'x,"y"', b: 1.5, c: null },
      { a: 'two\r\nlines', b: -2, c: true },
    ]),
    'a,b,c\r\n"x,""y""",1.5,\r\n"two\r\nlines",-2,true\r\n',
  )
  assert.equal(csvOf([]), '\r\n')
})

test('a name that strangers chose is no formula', () => {
  for (const name of ['=1+1', '+A1', '-A1', '@SUM(A1)', '\t=1'])
    assert.equal(csvOf([{ name }]).split('\r\n')[1], `'${name}`)
  assert.equal(csvOf([{ name: '=HYPERLINK("x")' }]).split('\r\n')[1], `"'=HYPERLINK(""x"")"`)
})
