import './page.css';
import { followChanges } from './follow-changes.ts';
import { show } from './show.ts';

show(document);
void followChanges();
