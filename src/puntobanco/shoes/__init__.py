"""Electronic shoes: shuffled by the operating system's chance, committed, cut, sealed, dealt, revealed and checked."""
