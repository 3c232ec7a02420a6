"use strict";(()=>{var e=localStorage.getItem("linkgraph.theme");e&&(document.documentElement.dataset.theme=e);})();
