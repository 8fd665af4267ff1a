/** The files of the demo's web shop. */

const ORDERS = `/** Orders: what was bought, by whom, and their state. */
import { reserve, release } from './stock.ts';
import { charge, type Payment } from './payment.ts';

export interface OrderLine {
  sku: string;
  quantity: number;
  unitPriceCents: number;
}

export interface Order {
  id: string;
  customerId: string;
  lines: OrderLine[];
  state: 'open' | 'paid' | 'cancelled';
}

const MAX_LINES = 200;

/** Reserves the goods and charges the customer; releases the goods if the charge fails. */
export async function payOrder(order: Order, payment: Payment): Promise<Order> {
  if (order.state !== 'open') throw new Error(\`Order \${order.id} is \${order.state}\`);
  if (order.lines.length > MAX_LINES) throw new RangeError('An order has at most 200 lines');
  await reserve(order.lines);
  try {
    await charge(payment, totalCents(order));
  } catch (error) {
    // TODO: show the customer which card was declined.
    await release(order.lines);
    throw error;
  }
  return { ...order, state: 'paid' };
}

export function totalCents({ lines }: Order): number {
  return lines.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0);
}
`;

const STOCK = `/** Stock levels and reservations. */
import type { OrderLine } from './orders.ts';
import { sql } from './database.ts';

/** Reserves all lines or none. */
export async function reserve(lines: OrderLine[]): Promise<void> {
  await sql.begin(async (transaction) => {
    for (const { quantity, sku } of lines) {
      const [row] = await transaction\`
        UPDATE stock SET reserved = reserved + \${quantity}
        WHERE sku = \${sku} AND available - reserved >= \${quantity} RETURNING sku\`;
      if (!row) throw new Error(\`Not enough of \${sku}\`);
    }
  });
}

/** Releases what an order no longer needs. */
export async function release(lines: OrderLine[]): Promise<void> {
  // TODO: one statement for all lines.
  for (const { quantity, sku } of lines)
    await sql\`UPDATE stock SET reserved = reserved - \${quantity} WHERE sku = \${sku}\`;
}
`;

const PAYMENT = `/** Payments. */
export interface Payment {
  card: string;
}

// TODO: the second provider.
export async function charge(payment: Payment, cents: number): Promise<void> {
  await fetch(\`/pay/\${payment.card}/\${cents}\`);
}
`;

const README = `# Web shop

What customers see and buy. **Prices are in cents**, everywhere.

| folder | what |
| --- | --- |
| \`src\` | the service |
| \`pages\` | the pages |

\`\`\`sh
npm ci && npm start
\`\`\`
`;

export const SHOP_FILES = {
  'README.md': README,
  'package.json': '{\n  "name": "web-shop",\n  "private": true\n}\n',
  LICENSE: 'All rights reserved.\n',
  'src/orders.ts': ORDERS,
  'src/stock.ts': STOCK,
  'src/payment.ts': PAYMENT,
  'src/database.ts': "import postgres from 'postgres';\n\nexport const sql = postgres();\n",
  'pages/cart.html': '<h1>Your cart</h1>\n',
  'pages/current': { symlink: 'cart.html' },
  'vendor/theme': { submodule: '1'.repeat(40) },
};
