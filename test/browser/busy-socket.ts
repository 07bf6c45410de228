/**
 * A socket in the place of the browser's, for `addInitScript`: it speaks the channels' protocol as far as the page uses
 * it, and tells of a trade of each card of the board in turn. Every message is a task of its own, as from the network,
 * and text that the page has to parse. What it costs to make them is on the page's account.
 */
export const BUSY_SOCKET = `(() => {
  const sockets = new Set()
  let timer, began = 0, rate = 0
  const busy = {
    sent: 0,
    start(perSecond) {
      busy.sent = 0
      rate = perSecond
      began = performance.now()
      clearInterval(timer)
      timer = setInterval(() => {
        const due = Math.floor((performance.now() - began) * rate / 1000)
        // who was held up makes up for a part of it only
        if (due - busy.sent > 20) began = performance.now() - (busy.sent + 20) * 1000 / rate
        for (const end = Math.min(due, busy.sent + 20); busy.sent < end; ) tell()
      }, 10)
    },
    stop: () => clearInterval(timer),
  }
  globalThis.__busy = busy

  let cards = [], seq = 0, turn = 0
  const tell = () => {
    if (turn % 100 === 0) cards = [...new Set([...document.querySelectorAll('[data-card]')].map((card) => card.dataset.card.split(' ')[0]))]
    turn += 1
    busy.sent += 1
    const mint = cards[turn % cards.length]
    if (mint === undefined) return
    seq += 1
    const mcap = 4000 + (seq * 7919) % 60000
    const trade = {
      unique_id: 'u' + seq, signature: 's' + seq, slot: 300000000 + seq, timestamp: new Date().toISOString(), token_address: mint,
      user_address: mint, user_name: null, is_buy: seq % 3 !== 0, sol_amount: 0.5, token_amount: 1000.5, price: 1e-6, mcap,
      bundled: false, bundle_id: null, bundle_name: null, smart_money: false, avg_hold_duration_secs: 12.5, avg_pnl: 0.1,
      closed_positions: 10, healthy_coins_rate: null, last_active: null, lifetime_trades: 40, sol_balance: 3.2, win_rate: 0.4,
    }
    const text = JSON.stringify([null, null, 'frames:live', 'frame', { data: { signature: trade.signature, mint, slot: trade.slot, timestamp: trade.timestamp, seq, trades: [trade] } }])
    for (const socket of sockets) socket.hear(text)
  }

  globalThis.WebSocket = class {
    static CONNECTING = 0
    static OPEN = 1
    static CLOSING = 2
    static CLOSED = 3
    readyState = 0
    bufferedAmount = 0
    binaryType = 'blob'
    #tasks = new MessageChannel()
    constructor(url) {
      this.url = url
      this.#tasks.port1.onmessage = ({ data }) => this.onmessage?.({ data })
      setTimeout(() => {
        this.readyState = 1
        sockets.add(this)
        this.onopen?.({})
      })
    }
    hear(text) {
      this.#tasks.port2.postMessage(text)
    }
    send(text) {
      const [join, ref, topic] = JSON.parse(text)
      this.hear(JSON.stringify([join, ref, topic, 'phx_reply', { status: 'ok', response: { seq: 0, resumed: false } }]))
    }
    close() {
      this.readyState = 3
      sockets.delete(this)
      this.onclose?.({ code: 1000 })
    }
  }
})()`
