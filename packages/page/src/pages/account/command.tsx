import { Copy } from '../../ui/copy.tsx'
import css from './account.module.css'

/** A command or key with a copy button. */
export const Command = ({ text, label }: { text: string; label: string }) => (
  <div className={css.command}>
    <code>{text}</code>
    <Copy text={text} label={label} />
  </div>
)
