import { button, h } from "../dom";
import type { Job, JobOutput } from "./api";

/// How far long work on the server is, and a button that stops it. Hidden while there is none.
export class JobBar {
  readonly element: HTMLElement;
  private readonly bar = h("progress", { max: "1", value: "0", "aria-label": "Progress" });
  private readonly what = h("span", { class: "fit", role: "status" });
  private job?: Job;

  constructor() {
    this.element = h("div", { class: "row job" }, this.bar, button("Cancel", "Stop the work", () => void this.job?.cancel()), this.what);
    this.element.hidden = true;
  }

  /// Stops the job that is followed, and shows nothing of it any more.
  abandon(): void {
    void this.job?.cancel();
    this.job = undefined;
    this.element.hidden = true;
  }

  /// What the job made; throws the library's line where it failed, or "cancelled".
  async follow(job: Job): Promise<JobOutput> {
    this.job = job;
    this.bar.value = 0;
    this.what.textContent = "";
    this.element.hidden = false;
    try {
      return await job.finished((fraction, what) => {
        if (this.job !== job) return;
        this.bar.value = fraction;
        this.what.textContent = what;
      });
    } finally {
      if (this.job === job) {
        this.job = undefined;
        this.element.hidden = true;
      }
    }
  }
}
