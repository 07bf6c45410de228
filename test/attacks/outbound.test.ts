import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Asking, answering, createAsking, JSON_TYPE } from '../conformance/http/observe-asking.ts'
import { OUTBOUND_ANSWERS, OUTBOUND_NAMES, OUTBOUND_URLS, PUBLIC } from './outbound-rows.ts'

describe('what a deployer of tokens names, seen by the one way out', () => {
  let asking: Asking
  before(async () => {
    asking = await createAsking()
    asking.net.site('plain.example', answering(JSON_TYPE, '1'))
    asking.net.name('inner.example', ['127.0.0.1'])
  })
  after(() => asking.net.close())

  for (const { name, url, reason } of OUTBOUND_URLS) {
    test(name, async () => {
      const { net, reasonFor } = asking
      const [dialled, resolved] = [net.dialled.length, net.resolved.length]
      assert.equal(await reasonFor(url), reason)
      assert.deepEqual([net.dialled.length, net.resolved.length], [dialled, resolved], 'it was not even asked for')
    })
  }

  for (const [i, { name, answers, reason }] of OUTBOUND_NAMES.entries()) {
    test(name, async () => {
      const { net, reasonFor } = asking
      const host = `name${i}.example`
      let asked = 0
      net.site(host, answering(JSON_TYPE, '1'))
      net.name(host, () => answers[Math.min(asked++, answers.length - 1)]!)
      const dialled = net.dialled.length
      assert.equal(await reasonFor(`http://${host}/`), reason)
      assert.equal(asked, 1, 'asked once, and what was said is what counts')
      const went = net.dialled.slice(dialled).map(({ address }) => address)
      assert.deepEqual(went, reason === 'ok' ? [PUBLIC] : [])
    })
  }

  for (const { name, status, headers, body = '', reason } of OUTBOUND_ANSWERS) {
    test(name, async () => {
      asking.net.site('moving.example', answering(headers, body, status))
      assert.equal(await asking.reasonFor('http://moving.example/'), reason)
      asking.net.assertNothingForbidden()
    })
  }

  test('what they are compared with: a public name is asked and answers', async () => {
    assert.equal(await asking.reasonFor('http://plain.example/'), 'ok')
  })
})
