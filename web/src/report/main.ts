import "../style.css";
import type { Page } from "../figure/types";
import { followSystem } from "../theme";
import { showPage } from "./page";

const page = JSON.parse(document.getElementById("data")!.textContent!) as Page;
followSystem();
void showPage(page, document.getElementById("page")!);
