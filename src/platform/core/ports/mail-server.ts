/** The operator's mail server. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the start; otherwise STARTTLS if the server offers it. */
  secure: boolean;
  /** With credentials, TLS is required. */
  credentials: { user: string; pass: string } | undefined;
  /** The sender, such as `Countersign <countersign@example.com>`. */
  from: string;
}
