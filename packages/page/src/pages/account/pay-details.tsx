import { useMemo } from 'react'
import { encode } from 'uqr'
import { Copy } from '../../ui/copy.tsx'
import css from './account.module.css'
import { type Offer, solText } from './account.ts'
import { Command } from './parts.tsx'
import { amountDue, payLink, sandboxCommand } from './payment.ts'
import { qrPath } from './qr.ts'

interface PayDetailsProps {
  readonly offer: Offer
  readonly balance: number
  readonly sandbox: boolean
  readonly publicUrl: string
}

/** The payment request as a QR code, a link and its parts. */
export function PayDetails({ offer, balance, sandbox, publicUrl }: PayDetailsProps) {
  const amount = solText(amountDue(offer, balance))
  const link = payLink(offer, amount)
  if (sandbox) {
    return (
      <div className="stack">
        <p>Run this in a terminal on the service’s machine; it makes a wallet that pays for your account:</p>
        <Command text={sandboxCommand(offer, amount, publicUrl)} label="Copy the command" />
        <p className="soft">A payment counts once its block is final, about 20 seconds later.</p>
        <Parts offer={offer} amount={amount} />
      </div>
    )
  }
  return (
    <div className="stack">
      {link !== null && (
        <div className={css.request}>
          <Qr text={link} label={`Solana Pay code for ${amount} SOL`} />
          <div className="stack">
            <p>Scan the code with a Solana wallet, or</p>
            <a href={link}>Open in a wallet on this device</a>
            <p className="soft">
              A transfer counts once it is final, about 20 seconds after it was sent. Several transfers add up; anything
              left over stays as balance.
            </p>
          </div>
        </div>
      )}
      <Parts offer={offer} amount={amount} />
      <p className="soft">
        The reference must be among the accounts of the transfer. Wallets that open the code add it. A plain transfer to
        the address cannot be assigned to your account and is not credited.
      </p>
    </div>
  )
}

const Parts = ({ offer, amount }: { offer: Offer; amount: string }) => (
  <dl className={css.parts}>
    <Part name="Amount" value={amount} unit="SOL" />
    <Part name="To" value={offer.pay_to} />
    <Part name="Reference" value={offer.reference} />
  </dl>
)

const Part = ({ name, value, unit }: { name: string; value: string; unit?: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <code>
        {value}
        {unit !== undefined && ` ${unit}`}
      </code>
      <Copy text={value} label={`Copy the ${name === 'To' ? 'address' : name.toLowerCase()}`} />
    </dd>
  </div>
)

/** quiet zone around the code, modules */
const QUIET = 4

/** A QR code, dark on white in both schemes, because cameras expect that. */
function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: QUIET })
    return { size: code.size, path: qrPath(code.data) }
  }, [text])
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#10151c" />
    </svg>
  )
}
